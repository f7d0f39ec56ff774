import { suggestValues } from './mcp-served-argument.ts'
import type { McpServedPrompt } from './serve-prompts.ts'
import type { McpServedResource } from './serve-resources.ts'
import type { ServedParts } from './served-parts.ts'

/** Suggests values for arguments of prompts and variables of URI templates. Offers nothing if no argument has values. */
export function serveCompletions(
  {
    prompts,
    resources,
  }: { readonly prompts: readonly McpServedPrompt[]; readonly resources: readonly McpServedResource[] },
  { server, sdk, guard }: ServedParts,
): void {
  const all = [...prompts, ...resources].flatMap(({ arguments: given = {} }) => Object.values(given))
  if (!all.some(({ complete }) => complete !== undefined)) return
  server.registerCapabilities({ completions: {} })
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument, context } }) => {
    const owner =
      ref.type === 'ref/prompt'
        ? prompts.find(({ name }) => name === ref.name)
        : resources.find(({ uri }) => uri === ref.uri)
    const wanted = owner?.arguments?.[argument.name]
    if (wanted === undefined) {
      const where = ref.type === 'ref/prompt' ? `The prompt '${ref.name}'` : `The resource '${ref.uri}'`
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `${where} has no argument '${argument.name}'.`)
    }
    return await guard(async () => await suggestValues(wanted, argument.value, context?.arguments ?? {}))
  })
}
