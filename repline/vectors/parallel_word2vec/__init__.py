"""Skip-gram and CBOW on several cores, with the same bytes for every number of threads.

Threads that write into one matrix at once, as in the program word2vec and in gensim, end with other vectors each time.
Here the windows of the corpus are taken in batches, and each batch in two steps:

    1. the changes of all windows are computed from the vectors as the last batch left them; each window is one thread's
    2. the changes are added to the vectors; each row of a matrix is one thread's, and takes them in the order of text

No step reads what another thread writes, and the sum of a row has one order, so the number of threads decides only who
does the work. What is random (skipped words, widths of windows, negative words) hangs on the seed, the epoch and the
position in the corpus.

For a window with center w, context C and drawn words N, with inputs v and outputs u, the objective is

    skip-gram:  sum over c in C of [log s(u_w . v_c) + sum over n in N of log s(-u_n . v_c)]
    CBOW:       log s(u_w . h) + sum over n in N of log s(-u_n . h),    h the mean of v_c, c in C

All words of a window share the drawn words N, so that a window reads its rows once; as in word2vec, CBOW gives the
whole gradient of h to each c. A batch is short enough that no vector moves far in it (`training.windows_in_batch`).

Source: Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their Compositionality", eq. (4);
shared drawn words: Ji et al. 2016, "Parallelizing Word2Vec in Shared and Distributed Memory", section 3.
"""
