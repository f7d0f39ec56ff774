/** Credentials for one server, as a JSON value. They are secret. */
export interface McpCredentials {
  readonly tokens?: McpTokens | undefined
  /** The registration of a client that registered itself, or the issuer of a client that is configured. */
  readonly client?: Readonly<Record<string, unknown>> | undefined
  /** Redirect URL with which the client registered itself at the authorization server. */
  readonly redirectUrl?: string | undefined
  /** Key that the tokens are bound to (DPoP). */
  readonly key?: McpKey | undefined
}

/** The members of an OAuth token response. */
export interface McpTokens {
  readonly access_token: string
  readonly token_type: string
  readonly refresh_token?: string | undefined
  readonly id_token?: string | undefined
  readonly scope?: string | undefined
  /** Seconds until the access token expires. */
  readonly expires_in?: number | undefined
  /** The authorization server that issued the tokens. They are sent to no other server. */
  readonly issuer?: string | undefined
}

/** A DPoP key pair, as JSON Web Keys. */
export interface McpKey {
  readonly privateKey: Readonly<Record<string, unknown>>
  readonly publicKey: Readonly<Record<string, unknown>>
  readonly thumbprint: string
}

/** Stores credentials between connections. Keys are opaque strings. */
export interface McpTokenStore {
  read(key: string): Promise<McpCredentials | undefined>
  /** Stores the credentials. `undefined` deletes them. */
  write(key: string, credentials: McpCredentials | undefined): Promise<void>
  /** Runs `work` while no other user of the store runs work for the same key. */
  exclusively<TResult>(key: string, work: () => Promise<TResult>): Promise<TResult>
}
