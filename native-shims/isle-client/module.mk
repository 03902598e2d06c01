# The launcher's client of the control socket. Included by ../Makefile, which sets BUILD (the folder
# of the release build), CC and CFLAGS.
$(BUILD)/isle-client: isle-client/isle_client.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $<
