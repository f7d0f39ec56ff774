import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import type { Terminal } from '../../render/terminal.ts'
import { DEFAULT_CONFIG, findMcpServer, openTokenStore } from '../../compose/mcp-servers.ts'

/** `parley mcp auth NAME` */
export function addMcpAuthCommand(parent: Command, terminal: Terminal): void {
  parent
    .command('auth')
    .summary('sign in to a server')
    .description('Signs in to a server in the browser, again if need be. Other commands use the token from then on.')
    .argument('<server>', 'name of the server')
    .option('-c, --config <file>', 'file that names the servers', DEFAULT_CONFIG)
    .option('--no-browser', 'only print the address of the page')
    .action(async (name: string, { config, browser }: { config: string; browser: boolean }) => {
      const { openMcpServer, showInBrowser } = await import('@parley/mcp')
      const definition = await findMcpServer(config, name)
      if (definition.transport === 'stdio') {
        const detail = `'${name}' is a local process; there is nothing to sign in to`
        throw new ParleyError({ code: 'config-invalid', path: config, detail })
      }
      let asked = false
      const openBrowser = async (url: URL): Promise<void> => {
        asked = true
        terminal.error(`Agree on this page, then come back: ${url.href}\n`)
        if (browser) await showInBrowser(url)
      }
      await using server = await openMcpServer(definition, { tokenStore: await openTokenStore(), openBrowser })
      // A token that still works is replaced too: whoever signs in again may be somebody else.
      if (!asked) await server.reauthenticate()
      const tools = await server.listTools()
      terminal.out(`signed in to ${name}: ${tools.length} tools\n`)
    })
}
