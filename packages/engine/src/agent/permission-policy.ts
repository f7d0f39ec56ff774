import { ParleyError, type Permission } from '@parley/core'

/** Says for tools by name whether their calls may run, in the place of what the tools say themselves. */
export interface PermissionPolicyRule {
  /** A tool's name, in which `*` stands for any characters. */
  readonly tool: string
  readonly permission: Permission
}

/** What the first rule that fits a tool's name says; undefined for a tool that no rule fits. */
export type PermissionPolicy = (tool: string) => Permission | undefined

export function createPermissionPolicy(rules: readonly PermissionPolicyRule[]): PermissionPolicy {
  const compiled = rules.map(({ tool, permission }) => ({ pattern: toPattern(tool), permission }))
  const known = new Map<string, Permission | undefined>()
  return tool => {
    if (!known.has(tool)) known.set(tool, compiled.find(({ pattern }) => pattern.test(tool))?.permission)
    return known.get(tool)
  }
}

/** @throws ParleyError `config-invalid` naming the rule that makes no sense. */
export function checkPermissions(rules: readonly PermissionPolicyRule[], path: string): void {
  for (const [index, { tool, permission }] of rules.entries()) {
    if (typeof tool !== 'string' || tool === '') refuse(`${path}.${index}.tool`, 'is no name of a tool')
    const effect = typeof permission === 'object' && permission !== null ? permission.effect : permission
    if (typeof effect === 'function' || effect === 'allow' || effect === 'ask') continue
    if (permission !== 'deny') refuse(`${path}.${index}.permission`, 'must be allow, deny, ask, a rule or a function')
  }
}

function toPattern(name: string): RegExp {
  const parts = name.split('*').map(part => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
