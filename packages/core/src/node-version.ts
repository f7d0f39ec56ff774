/** What tells Node.js from other runtimes. */
export interface ProcessVersions {
  readonly versions?: { readonly node?: string; readonly bun?: string; readonly deno?: string }
}

/** Returns the version of Node.js, or `undefined` on another runtime. Bun and Deno report a version of Node.js too. */
export function nodeVersion({ process }: { readonly process?: ProcessVersions }): string | undefined {
  const { node, bun, deno } = process?.versions ?? {}
  return bun === undefined && deno === undefined ? node : undefined
}
