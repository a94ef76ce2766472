"""Chat or task, by convolutions and a multiple-timescale GRU (Moirangthem and Lee 2018). Read in this order:

settings     the section `lmtgru` of params.yaml: corpora, networks, trainings
recurrence   the equations, and the fused loop of all groups of units
model        convolutions, local maxima, the recurrence, softmax
training     RMSprop with a separate learning rate for timescales, which stay at 1 or above; one training
folds        cross-validation
evaluation   what each network reaches, and where its timescales went
"""
