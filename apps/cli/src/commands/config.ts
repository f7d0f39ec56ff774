import { describeError, ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { withToolFlags, type AgentFlags } from '../flags/agent-flags.ts'
import { createOpening } from '../compose/resource-stack.ts'
import { openTools } from '../compose/open-tools.ts'
import type { Terminal } from '../render/terminal.ts'

type ToolFlags = Pick<AgentFlags, 'root' | 'tools' | 'mcp'>

/** `parley config check` */
export function addConfigCommand(program: Command, terminal: Terminal): void {
  const command = program.command('config').description('Looks at configuration files without asking a model.')
  const check = command
    .command('check')
    .description(
      'Reads a configuration file as run, chat and serve would, and says everything that is wrong with it, or what is in it.',
    )
    .argument('<file>', 'a YAML, JSON or TOML file')
  withToolFlags(check).action(async (file: string, flags: ToolFlags) => {
    process.exitCode = await checkFile(file, flags, terminal)
  })
  for (const sub of command.commands) sub.copyInheritedSettings(program)
}

async function checkFile(file: string, flags: ToolFlags, terminal: Terminal): Promise<number> {
  const [{ composeConfig }, { loadConfig }, { configRegistry }] = await Promise.all([
    import('@parley/config'),
    import('@parley/config/node'),
    import('../compose/open-config-agents.ts'),
  ])
  await using opening = createOpening()
  const tools = await openTools(flags, opening)
  try {
    const { agents } = await composeConfig(await loadConfig(file), await configRegistry({}, tools))
    terminal.out(`${terminal.style('green', '✓')} ${file}\n`)
    for (const { name, model, tools: own = [] } of agents) {
      const asked = typeof model === 'object' ? `${model.provider}/${model.id}` : (model ?? '')
      const named = own.map(tool => (typeof tool === 'string' ? tool : tool.name)).join(', ') || 'no tools'
      terminal.out(`  ${name}: ${asked}, ${named}\n`)
    }
    return 0
  } catch (error) {
    if (!ParleyError.is(error)) throw error
    // Each problem on a line of its own.
    terminal.error(`parley: ${describeError(error.info)}\n`)
    return 2
  }
}
