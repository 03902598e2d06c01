#define MINE get_local_id(0)
uint grouped(void);
