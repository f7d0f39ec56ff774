import manifest from '../../package.json' with { type: 'json' }
import type { Command } from 'commander'
import { docsTools } from '../docs/docs-tools.ts'
import { readDocsArchive } from '../docs/docs-archive.ts'
import { findPage } from '../docs/find-pages.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'

/**
 * Defines the command `parley docs [PAGE]` with its subcommand `mcp`.
 * @param archive Path of the documentation. By default the one that this package contains.
 */
export function defineDocsCommand(command: Command, terminal: Terminal, archive?: string): void {
  command
    .description('Prints a page of the documentation, or without PAGE the addresses of all pages. Needs no network.')
    .argument('[page]', 'address of a page, for example errors/model-auth')
    .action((address: string | undefined) => {
      const pages = readDocsArchive(archive)
      if (address === undefined) for (const page of pages) terminal.out(`${page.address}  ${page.title}\n`)
      else terminal.out(findPage(pages, address).text)
    })
  const mcp = command
    .command('mcp')
    .summary('serve the documentation to coding agents')
    .description(
      'Serves the documentation as an MCP server over stdin and stdout, with a tool that searches and one that reads.',
    )
    .action(async () => {
      const { createMcpServer } = await import('@parley/mcp')
      await using server = createMcpServer({
        name: 'parley-docs',
        version: manifest.version,
        instructions: 'Search the documentation of Parley before you write code that uses it.',
        tools: docsTools(readDocsArchive(archive)),
      })
      await server.serveStdio()
    })
  withExamples(mcp, [['docs mcp', 'serves the pages to a coding agent']])
  withExamples(command, [
    ['docs', 'lists the pages'],
    ['docs errors/model-auth', 'explains an error code'],
    ['docs mcp', 'serves the pages to a coding agent'],
  ])
}
