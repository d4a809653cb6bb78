extern int shared;
extern double table[3];
int twice(int x);
