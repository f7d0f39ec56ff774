/** How a server behind a URL is convinced to answer. Plain data, apart from what fetches an assertion. */
export type McpAuth =
  | McpBrowserAuth
  | McpClientCredentialsAuth
  | McpJwtBearerAuth
  | McpEnterpriseAuth
  /** Never: a refusal is a failure. */
  | { readonly grant: 'none' }

/** What every grant takes. */
export interface McpAuthFields {
  /** Space-separated scopes, for servers that do not name those they want. @default what the server names */
  readonly scope?: string | undefined
  /** Binds tokens to a key of this client (RFC 9449), so that a stolen one is worthless. @default false */
  readonly dpop?: boolean | undefined
  /**
   * The only authorization server that `clientId` and its secret are for.
   * @default the first one the server names, kept in the token store; a change of it is refused
   */
  readonly issuer?: string | undefined
}

/** A person agrees in a browser: authorization code with PKCE. */
export interface McpBrowserAuth extends McpAuthFields {
  readonly grant: 'authorization-code'
  /** Of a client registered beforehand. @default the client registers itself */
  readonly clientId?: string | undefined
  /** Of a client registered beforehand. @default none: a public client */
  readonly clientSecret?: string | undefined
  /** Where this client's metadata is published; serves as its id where the server allows that. @default none */
  readonly clientMetadataUrl?: string | undefined
  /** An `http:` URL on `127.0.0.1` or `localhost`; without a port any free one is taken. @default 'http://127.0.0.1/callback' */
  readonly redirectUrl?: string | undefined
}

/** The program itself is the client: a secret, or a private key that signs a JWT. */
export interface McpClientCredentialsAuth extends McpAuthFields {
  readonly grant: 'client-credentials'
  readonly clientId: string
  /** @default none; `privateKey` is needed then */
  readonly clientSecret?: string | undefined
  /** PKCS#8 PEM. @default none; `clientSecret` is needed then */
  readonly privateKey?: string | undefined
  /** Of `privateKey`, as in JWS. @default 'ES256' */
  readonly algorithm?: string | undefined
}

/** A JWT somebody else has issued is exchanged for a token (RFC 7523): workload identity. */
export interface McpJwtBearerAuth extends McpAuthFields {
  readonly grant: 'jwt-bearer'
  readonly clientId: string
  /** @default none: a public client */
  readonly clientSecret?: string | undefined
  /** The JWT, or what fetches one for each exchange. */
  readonly assertion: string | ((target: McpAuthTarget) => string | Promise<string>)
}

/** What a token is wanted for. */
export interface McpAuthTarget {
  /** Of the authorization server. */
  readonly issuer: string
  /** The MCP server, as its metadata names it. */
  readonly resource: string
  readonly scope?: string | undefined
}

/** A company's identity provider vouches for the user, without a question to anybody. */
export interface McpEnterpriseAuth extends McpAuthFields {
  readonly grant: 'enterprise-managed'
  /** At the MCP server's authorization server. */
  readonly clientId: string
  /** @default none: a public client */
  readonly clientSecret?: string | undefined
  readonly identityProvider: {
    readonly tokenEndpoint: string
    readonly clientId: string
    /** @default none: a public client */
    readonly clientSecret?: string | undefined
    /** The user's OpenID Connect id token, or what fetches it for each exchange. */
    readonly idToken: string | (() => string | Promise<string>)
  }
}
