/** The OAuth grant for a server behind a URL. Plain data, except for functions that fetch an assertion. */
export type McpAuth =
  | McpBrowserAuth
  | McpClientCredentialsAuth
  | McpJwtBearerAuth
  | McpEnterpriseAuth
  /** No authorization: a refusal by the server is a failure. */
  | { readonly grant: 'none' }

/** Options of every grant. */
export interface McpAuthFields {
  /** Scopes separated by spaces, for servers that do not name the scopes they require. @default the scopes the server names */
  readonly scope?: string | undefined
  /** Binds tokens to a key of this client (DPoP, RFC 9449), so that a stolen token is useless. @default false */
  readonly dpop?: boolean | undefined
  /**
   * The only authorization server that gets `clientId` and its secret.
   * @default the first server that the MCP server names. The token store keeps it, and a different one is refused later
   */
  readonly issuer?: string | undefined
}

/** The user agrees in a browser: authorization code grant with PKCE. */
export interface McpBrowserAuth extends McpAuthFields {
  readonly grant: 'authorization-code'
  /** Id of a client that is registered already. @default the client registers itself */
  readonly clientId?: string | undefined
  /** Secret of a client that is registered already. @default none: a public client */
  readonly clientSecret?: string | undefined
  /** URL of this client's metadata (`https:`). If the server supports it, the URL is the client id. @default none */
  readonly clientMetadataUrl?: string | undefined
  /** An `http:` URL on `127.0.0.1` or `localhost`. Without a port, any free one is used. @default 'http://127.0.0.1/callback' */
  readonly redirectUrl?: string | undefined
}

/** The program authorizes itself, with a secret or with a private key that signs a JWT. */
export interface McpClientCredentialsAuth extends McpAuthFields {
  readonly grant: 'client-credentials'
  readonly clientId: string
  /** Secret of the client. @default none: `privateKey` is required then */
  readonly clientSecret?: string | undefined
  /** Private key as PKCS#8 PEM. @default none: `clientSecret` is required then */
  readonly privateKey?: string | undefined
  /** JWS algorithm of `privateKey`. @default 'ES256' */
  readonly algorithm?: string | undefined
}

/** Exchanges a JWT of another issuer for a token (RFC 7523), for example for workload identity. */
export interface McpJwtBearerAuth extends McpAuthFields {
  readonly grant: 'jwt-bearer'
  readonly clientId: string
  /** Secret of the client, if it has one. @default none: a public client */
  readonly clientSecret?: string | undefined
  /** The JWT, or a function that fetches one for each exchange. */
  readonly assertion: string | ((target: McpAuthTarget) => string | Promise<string>)
}

/** Where a token is requested, and for which server. */
export interface McpAuthTarget {
  /** Issuer URL of the authorization server. */
  readonly issuer: string
  /** URL of the MCP server, in the form in which its metadata names it. */
  readonly resource: string
  readonly scope?: string | undefined
}

/** A company's identity provider authorizes the user. The user is not asked. */
export interface McpEnterpriseAuth extends McpAuthFields {
  readonly grant: 'enterprise-managed'
  /** Client id at the MCP server's authorization server. */
  readonly clientId: string
  /** Secret of the client, if it has one. @default none: a public client */
  readonly clientSecret?: string | undefined
  readonly identityProvider: {
    readonly tokenEndpoint: string
    readonly clientId: string
    /** Secret of the client, if it has one. @default none: a public client */
    readonly clientSecret?: string | undefined
    /** The user's OpenID Connect ID token, or a function that fetches it for each exchange. */
    readonly idToken: string | (() => string | Promise<string>)
  }
}
