import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'
import { DEFAULT_MCP_FILE, findMcpServer, openTokenStore } from '../../compose/mcp-servers.ts'

/** Adds the command `parley mcp auth NAME`. */
export function addMcpAuthCommand(parent: Command, terminal: Terminal): void {
  const command = parent
    .command('auth')
    .summary('sign in to a remote server')
    .description(
      'Signs in to a remote server in the browser and stores the token for all commands. Replaces an earlier token.',
    )
    .argument('<server>', 'name of the server')
    .option('-c, --config <file>', 'file with the MCP servers', DEFAULT_MCP_FILE)
    .option('--no-browser', 'print the address of the page instead of opening a browser')
    .action(async (name: string, { config, browser }: { config: string; browser: boolean }) => {
      const { openMcpServer, showInBrowser } = await import('@parley/mcp')
      const definition = await findMcpServer(config, name)
      if (definition.transport === 'stdio') {
        const detail = `'${name}' is a local process and requires no sign-in`
        throw new ParleyError({ code: 'config-invalid', path: config, detail })
      }
      let signedIn = false
      const openBrowser = async (url: URL): Promise<void> => {
        signedIn = true
        terminal.error(`Approve the access on this page: ${url.href}\n`)
        if (browser) await showInBrowser(url)
      }
      await using server = await openMcpServer(definition, { tokenStore: await openTokenStore(), openBrowser })
      // A valid token is replaced too: the user may sign in to another account.
      if (!signedIn) await server.reauthenticate()
      const tools = await server.listTools()
      terminal.out(`Signed in to ${name}: ${tools.length} tools.\n`)
    })
  withExamples(command, [['mcp auth tracker', 'signs in to the server tracker']])
}
