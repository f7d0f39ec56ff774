import type { ErrorEntry } from './error-entry.ts'

/** Failures of servers, files and addresses. */
export const OUTSIDE_ERRORS = {
  'mcp-server-failed': {
    cause: 'An MCP server did not start, or ended.',
    remedy:
      "Read `detail`, and start the command by hand. `startupPolicy: 'log-and-continue'` continues without the server.",
  },
  'mcp-auth-required': {
    cause: 'A user must sign in at the MCP server.',
    remedy: 'Run `parley mcp auth NAME`, or pass `openBrowser` and a `tokenStore` to `openMcpServer`.',
  },
  'mcp-request-failed': {
    cause: 'The MCP server was reached, but did not answer the request.',
    remedy:
      'With the reason `refused` the request had no effect, so it can be changed and sent again. With the other reasons its effect is unknown.',
  },
  'file-unreadable': {
    cause: 'A file is missing, is not readable or has an invalid form.',
    remedy: 'Check the path and the permissions. `detail` has the words of the system.',
  },
  'path-refused': {
    cause: 'A path leads outside of the workspace, to a sensitive file, or is invalid.',
    remedy: 'Use a path below the workspace root, or add the folder to `roots` of `createWorkspace`.',
  },
  'request-invalid': {
    cause: 'A client sent an invalid request, or a call has an invalid argument. `path` is the place of the fault.',
    remedy: 'Change the request as `detail` says.',
  },
  'agent-request-failed': {
    cause: 'A remote agent could not be reached, or rejected the request.',
    remedy: 'Check `url`, `status` and `remoteCode`. Wait for `retryAfterMs` if the server asks for it.',
  },
  'url-refused': {
    cause: 'A network guard allows no connection to the address.',
    remedy: 'Use a public address, or add the host to `allow` of `createNetworkGuard` if you trust it.',
  },
  'url-failed': {
    cause: 'A request to an address failed.',
    remedy: 'Read `status` and `detail`. With `retryable`, the same request may succeed later.',
  },
  cancelled: {
    cause: 'An operation was cancelled by its `signal`, by a user or by the runtime. `kind` tells which.',
    remedy: 'Nothing, if it was meant. Otherwise check who aborts the signal.',
  },
} satisfies Record<string, ErrorEntry>
