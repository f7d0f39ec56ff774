import type { Tool, ToolSource } from '@parley/core'
import type { PromptyTool } from '../format/prompty-agent.ts'

/** Applies `allowedTools` and `approvalMode` of a declaration to the tools of a kind. */
export function governTools(given: Tool | ToolSource, declared: PromptyTool): Tool | ToolSource {
  if (!('tools' in given)) return withApproval(given, declared)
  const { allowedTools } = declared
  return {
    name: given.name,
    async tools(options) {
      const tools = await given.tools(options)
      return tools
        .filter(
          ({ name }) =>
            allowedTools === undefined || allowedTools.includes(originalName(name)) || allowedTools.includes(name),
        )
        .map(tool => withApproval(tool, declared))
    },
    ...(given.onChange === undefined ? {} : { onChange: listener => given.onChange?.(listener) ?? (() => {}) }),
    [Symbol.asyncDispose]: () => given[Symbol.asyncDispose](),
  }
}

function withApproval(tool: Tool, { approvalMode }: PromptyTool): Tool {
  return approvalMode !== undefined && needsApproval(tool.name, approvalMode) ? { ...tool, permission: 'ask' } : tool
}

function needsApproval(name: string, mode: NonNullable<PromptyTool['approvalMode']>): boolean {
  if (mode.kind !== 'specify') return mode.kind === 'always'
  const { alwaysRequireApprovalTools: always = [], neverRequireApprovalTools: never } = mode
  const isNamed = (list: readonly string[]): boolean => list.includes(name) || list.includes(originalName(name))
  if (isNamed(always)) return true
  // With a list of tools that need no approval, all other tools need it.
  return never !== undefined && !isNamed(never)
}

/** Returns the name of a tool without the prefix of its source: `mcp__server__tool`. */
function originalName(name: string): string {
  const at = name.lastIndexOf('__')
  return at < 0 ? name : name.slice(at + 2)
}
