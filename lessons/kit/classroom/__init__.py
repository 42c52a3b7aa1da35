"""The classroom: a lecturer leads, a room follows, questions go to all. Pure rules and a store; the routes are in the shell."""
