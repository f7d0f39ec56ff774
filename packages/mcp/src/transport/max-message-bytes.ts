/** Maximum size of one message of a server, over every transport. A server that sends a longer one is disconnected. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
