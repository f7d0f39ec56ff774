import { ParleyError, checkOptions, type OptionKinds } from '@parley/core'
import type { McpToolOptions } from './mcp-tool-options.ts'

const OPTIONS: OptionKinds<McpToolOptions> = {
  allow: 'strings',
  deny: 'strings',
  rename: 'object',
  prefix: 'string',
  searchAboveTokens: 'number',
  onCollision: 'function',
}

/** Checks the options for tools. @throws ParleyError `config-invalid` if a name is invalid or is given to two tools. */
export function checkToolOptions(options: McpToolOptions, path: string): void {
  checkOptions(path, options, OPTIONS)
  const { rename = {}, prefix, searchAboveTokens } = options
  if (prefix !== undefined && !/^[A-Za-z0-9_-]{0,40}$/.test(prefix)) {
    refuse(`${path}.prefix`, `must be at most 40 of the characters A-Z a-z 0-9 _ -, not '${prefix}'`)
  }
  if (searchAboveTokens !== undefined && !(searchAboveTokens >= 0)) {
    refuse(`${path}.searchAboveTokens`, `must be a number of tokens, 0 or more, not ${searchAboveTokens}`)
  }
  const taken = new Set<string>()
  for (const [tool, name] of Object.entries(rename)) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
      refuse(`${path}.rename.${tool}`, `must be 1 to 64 of the characters A-Z a-z 0-9 _ -, not '${name}'`)
    }
    if (taken.has(name)) refuse(`${path}.rename.${tool}`, `'${name}' is already the name of another tool`)
    taken.add(name)
  }
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
