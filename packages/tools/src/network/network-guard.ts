/** Decides which URLs may be fetched. Made by `createNetworkGuard`. */
export interface NetworkGuard {
  /**
   * Checks what a URL shows by itself: scheme, credentials, port, host.
   * @throws ParleyError `url-refused`.
   */
  check(url: string | URL): URL
  /**
   * The addresses that may be connected to for a checked URL. Connect to these and look nothing up again: a name
   * may have another address a moment later.
   * @throws ParleyError `url-refused` when one of them is not allowed, `url-failed` when there is none.
   */
  resolve(url: URL, options?: ResolveHostOptions): Promise<readonly HostAddress[]>
}

export interface ResolveHostOptions {
  readonly signal?: AbortSignal | undefined
}

export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** All addresses of a name, as the system or a name server gives them. */
export type HostLookup = (host: string, options: ResolveHostOptions) => Promise<readonly HostAddress[]>
