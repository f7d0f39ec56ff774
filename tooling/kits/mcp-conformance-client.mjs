// The MCP client that the official suite tests, @modelcontextprotocol/conformance:
//   conformance client --scenario tools_call --command "<node> --conditions=@parley/source tooling/kits/mcp-conformance-client.mjs"
import { openMcpServer } from '@parley/mcp'

const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_PROTOCOL_VERSION: version = '' } = process.env
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')

/** The auth options that a user would configure for the servers of this scenario. */
function authOf() {
  const { client_id: clientId, client_secret: clientSecret } = context
  switch (scenario) {
    case 'auth/client-credentials-jwt': {
      const { private_key_pem: privateKey, signing_algorithm: algorithm } = context
      return { grant: 'client-credentials', clientId, privateKey, algorithm }
    }
    case 'auth/client-credentials-basic':
      return { grant: 'client-credentials', clientId, clientSecret }
    case 'auth/wif-jwt-bearer':
      return { grant: 'jwt-bearer', clientId, assertion: context.valid_jwt }
    case 'auth/enterprise-managed-authorization': {
      const { idp_client_id, idp_id_token: idToken, idp_token_endpoint: tokenEndpoint } = context
      const identityProvider = { tokenEndpoint, clientId: idp_client_id, idToken }
      return { grant: 'enterprise-managed', clientId, clientSecret, identityProvider }
    }
    default: {
      const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json'
      return {
        grant: 'authorization-code',
        clientId,
        clientSecret,
        clientMetadataUrl,
        dpop: scenario.startsWith('auth/dpop'),
      }
    }
  }
}

/** The calls of the scenario. Without a list in its context: one call of each tool. */
function callsFor(tools) {
  if (context.toolCalls !== undefined) return context.toolCalls
  return tools.map(({ name, inputSchema }) => {
    if (name === 'json_schema_echo') {
      const echoed = tools.find(tool => tool.name !== name)?.inputSchema
      return { name, arguments: { schema: echoed } }
    }
    return { name, arguments: argumentsFor(inputSchema) }
  })
}

function argumentsFor({ properties = {}, required = [] }) {
  const values = { number: 2, integer: 2, string: 'x', boolean: true, array: [], object: {} }
  return Object.fromEntries(required.map(key => [key, values[properties[key]?.type] ?? 'x']))
}

const server = await openMcpServer(
  {
    transport: 'http',
    name: 'suite',
    url: process.argv.at(-1),
    auth: authOf(),
    protocol: version >= '2026-07-28' ? 'auto' : 'legacy',
  },
  {
    // The page of the mock server agrees by itself and redirects.
    openBrowser: async url => void (await fetch(url)).body?.cancel(),
    onElicit: ({ schema }) => ({ action: 'accept', content: schema?.properties?.confirmed ? { confirmed: true } : {} }),
  },
)
try {
  const tools = await server.listTools()
  for (const { name, arguments: input } of callsFor(tools)) {
    // An agent would report a refused call to its model and continue.
    await server.callTool(name, input).catch(error => {
      if (error.code !== 'mcp-request-failed') throw error
      process.stderr.write(`${error.message}\n`)
    })
  }
} finally {
  await server.close()
}
