"""One stage as a process: started by fork, watched, ended when asked to."""
