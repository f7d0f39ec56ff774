/** Decides which URLs may be fetched. Create one with `createNetworkGuard`. */
export interface NetworkGuard {
  /**
   * Checks a URL without a lookup: scheme, credentials, port and host.
   * @throws ParleyError `url-refused`.
   */
  check(url: string | URL): URL
  /**
   * Resolves a checked URL to the addresses that may be connected to. Connect to these without another lookup: a hostile name
   * server can return another address a moment later (DNS rebinding).
   * @throws ParleyError `url-refused` if one of the addresses is not allowed, `url-failed` if the name has no address.
   */
  resolve(url: URL, options?: ResolveHostOptions): Promise<readonly HostAddress[]>
}

/** Options of a lookup. */
export interface ResolveHostOptions {
  readonly signal?: AbortSignal | undefined
}

/** An IP address and its version. */
export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Returns all addresses of a name, as the system or a name server resolves it. */
export type HostLookup = (host: string, options: ResolveHostOptions) => Promise<readonly HostAddress[]>
