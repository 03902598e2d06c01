#include "peer.h"

static void apply(struct node *node, struct control *control) {
  if (control->type == ACK) return;
  bool chain = control->type == RESIZE_CHAIN;
  if (chain && (control->index < 0 || control->index >= control->workers))
    fail("worker %d of %d in a chain", control->index, control->workers);
  node->range = chain ? control->ranges[control->index] : control->own;
  if (chain && control->index + 1 < control->workers) {
    control->index++;
    return;
  }
  *control = (struct control){.type = ACK, .own = node->range};
}

_Noreturn void run_worker(struct node *node) {
  for (;;) {
    node->transport->receive(node->buffer, -1);
    struct control control;
    if (control_read(node->buffer, node->packet, &control)) {
      apply(node, &control);
      control_write(node->buffer, node->packet, &control);
    } else {
      mix(node->buffer, node->packet, node->range.start, node->range.end);
      if (node->range.tail && get_u32(node->buffer + 4) == NO_REPLY) continue;
    }
    node->transport->send(node->buffer);
  }
}
