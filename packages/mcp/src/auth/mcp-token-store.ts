/** What was agreed with one server. JSON; secret. */
export interface McpCredentials {
  readonly tokens?: McpTokens | undefined
  /** The client as it registered itself, or the issuer that a given client is bound to. */
  readonly client?: Readonly<Record<string, unknown>> | undefined
  /** Where the browser was sent back to when the client registered. */
  readonly redirectUrl?: string | undefined
  /** The key that tokens are bound to. */
  readonly key?: McpKey | undefined
}

/** The members of an OAuth token response. */
export interface McpTokens {
  readonly access_token: string
  readonly token_type: string
  readonly refresh_token?: string | undefined
  readonly id_token?: string | undefined
  readonly scope?: string | undefined
  readonly expires_in?: number | undefined
  /** The authorization server they came from; they are sent to no other. */
  readonly issuer?: string | undefined
}

/** A key pair for proofs of possession, as JSON Web Keys. */
export interface McpKey {
  readonly privateKey: Readonly<Record<string, unknown>>
  readonly publicKey: Readonly<Record<string, unknown>>
  readonly thumbprint: string
}

/** Keeps credentials between connections. Keys are opaque strings. */
export interface McpTokenStore {
  read(key: string): Promise<McpCredentials | undefined>
  /** `undefined` forgets. */
  write(key: string, credentials: McpCredentials | undefined): Promise<void>
  /** Runs `work` while nobody else that uses the store runs any for the same key. */
  exclusively<TResult>(key: string, work: () => Promise<TResult>): Promise<TResult>
}
