import { ParleyError } from '@parley/core'
import type { McpAuth } from './mcp-auth.ts'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Checks the options of a grant. Never shows a secret.
 * @throws ParleyError `config-invalid` if an option that the grant requires is missing or invalid.
 */
export function checkAuth(auth: McpAuth, path: string): void {
  const requireFields = (fields: Readonly<Record<string, unknown>>): void => {
    for (const [field, value] of Object.entries(fields)) {
      if (value === undefined || value === '') refuse(`${path}.${field}`, `is required for grant '${auth.grant}'`)
    }
  }
  switch (auth.grant) {
    case 'none':
      return
    case 'authorization-code':
      return checkBrowser(auth, path)
    case 'client-credentials':
      requireFields({ clientId: auth.clientId })
      if (auth.clientSecret === undefined) requireFields({ privateKey: auth.privateKey })
      return
    case 'jwt-bearer':
      return requireFields({ clientId: auth.clientId, assertion: auth.assertion })
    case 'enterprise-managed': {
      const { tokenEndpoint, clientId, idToken } = auth.identityProvider ?? {}
      requireFields({
        clientId: auth.clientId,
        'identityProvider.tokenEndpoint': tokenEndpoint,
        'identityProvider.clientId': clientId,
        'identityProvider.idToken': idToken,
      })
      return
    }
    default: {
      const { grant } = auth as { grant?: unknown }
      refuse(
        `${path}.grant`,
        `'${String(grant)}' is unknown; known: authorization-code, client-credentials, jwt-bearer, enterprise-managed, none`,
      )
    }
  }
}

function checkBrowser(
  { redirectUrl, clientMetadataUrl }: Extract<McpAuth, { grant: 'authorization-code' }>,
  path: string,
): void {
  if (redirectUrl !== undefined) {
    const { protocol, hostname } = URL.canParse(redirectUrl) ? new URL(redirectUrl) : { protocol: '', hostname: '' }
    if (protocol !== 'http:' || !LOOPBACK.has(hostname)) {
      refuse(`${path}.redirectUrl`, `'${redirectUrl}' must be an http: URL on 127.0.0.1 or localhost`)
    }
  }
  if (clientMetadataUrl !== undefined && !clientMetadataUrl.startsWith('https://')) {
    refuse(`${path}.clientMetadataUrl`, `'${clientMetadataUrl}' must be an https: URL`)
  }
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
