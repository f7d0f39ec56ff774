import type { AddClientAuthentication, FetchLike } from '@modelcontextprotocol/client'
import type { McpAuth, McpAuthTarget } from '../config/mcp-auth.ts'

/** The token request of a grant without a browser. */
export interface TokenRequest {
  readonly parameters: (scope: string | undefined) => Promise<URLSearchParams>
  readonly addClientAuthentication?: AddClientAuthentication | undefined
}

export interface TokenRequestOptions {
  readonly target: Omit<McpAuthTarget, 'scope'>
  readonly fetch: FetchLike
}

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** Creates the token request of a grant. `undefined` for a grant that needs a browser. */
export async function createTokenRequest(
  auth: McpAuth,
  { target, fetch }: TokenRequestOptions,
): Promise<TokenRequest | undefined> {
  switch (auth.grant) {
    case 'client-credentials': {
      const { clientId, privateKey, algorithm: alg = 'ES256' } = auth
      const parameters = async (scope: string | undefined) => parametersOf({ grant_type: 'client_credentials', scope })
      if (privateKey === undefined) return { parameters }
      const { createPrivateKeyJwtAuth } = await import('@modelcontextprotocol/client')
      const sign = createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey, alg })
      return { parameters, addClientAuthentication: sign }
    }
    case 'jwt-bearer':
      return {
        async parameters(scope) {
          const { assertion } = auth
          const jwt = typeof assertion === 'string' ? assertion : await assertion({ ...target, scope })
          return parametersOf({ grant_type: JWT_BEARER, assertion: jwt, scope })
        },
      }
    case 'enterprise-managed':
      return {
        async parameters(scope) {
          const { requestJwtAuthorizationGrant } = await import('@modelcontextprotocol/client')
          const { tokenEndpoint, clientId, clientSecret, idToken } = auth.identityProvider
          const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
            tokenEndpoint,
            clientId,
            idToken: typeof idToken === 'string' ? idToken : await idToken(),
            audience: target.issuer,
            resource: target.resource,
            fetchFn: fetch,
            ...(clientSecret === undefined ? {} : { clientSecret }),
            ...(scope === undefined ? {} : { scope }),
          })
          return parametersOf({ grant_type: JWT_BEARER, assertion: jwtAuthGrant, scope })
        },
      }
    case 'authorization-code':
    case 'none':
      return undefined
  }
}

function parametersOf({ scope, ...fields }: Record<string, string | undefined>): URLSearchParams {
  const parameters = new URLSearchParams(fields as Record<string, string>)
  if (scope !== undefined) parameters.set('scope', scope)
  return parameters
}
