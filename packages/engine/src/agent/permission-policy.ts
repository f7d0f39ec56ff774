import { refuseOption, compileWildcard, type Permission } from '@parley/core'

/** Gives tools, by name, another permission than their own. */
export interface PermissionPolicyRule {
  /** The name of a tool; `*` matches any characters. */
  readonly tool: string
  readonly permission: Permission
}

/** The permission of the first rule that matches a tool's name. `undefined` if no rule matches. */
export type PermissionPolicy = (tool: string) => Permission | undefined

export function createPermissionPolicy(rules: readonly PermissionPolicyRule[]): PermissionPolicy {
  const compiled = rules.map(({ tool, permission }) => ({ fits: compileWildcard(tool), permission }))
  const known = new Map<string, Permission | undefined>()
  return tool => {
    if (!known.has(tool)) known.set(tool, compiled.find(({ fits }) => fits(tool))?.permission)
    return known.get(tool)
  }
}

/**
 * Checks the permission rules of an agent.
 * @throws ParleyError `config-invalid` with the path of the rule that is invalid.
 */
export function checkPermissions(rules: readonly PermissionPolicyRule[], path: string): void {
  for (const [index, { tool, permission }] of rules.entries()) {
    if (typeof tool !== 'string' || tool === '') refuseOption(`${path}.${index}.tool`, 'must be the name of a tool')
    const effect = typeof permission === 'object' && permission !== null ? permission.effect : permission
    if (typeof effect === 'function' || effect === 'allow' || effect === 'ask') continue
    if (permission !== 'deny')
      refuseOption(`${path}.${index}.permission`, 'must be allow, deny, ask, a rule or a function')
  }
}
