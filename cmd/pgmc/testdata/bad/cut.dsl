net n {
node a { TYPE = CPT; PARENTS = (); DEFINITION = { NAMESTATES = (x, y); PROBABILITIES = (0.25, 0.75); }; };
node b { TYPE = CPT; PARENTS = (a); DEFINITION = { NAMESTATES = (x, y