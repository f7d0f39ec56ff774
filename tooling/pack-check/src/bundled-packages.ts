/** Returns the names of the packages whose code a bundle contains. esbuild writes the path of each source file before its code. */
export function bundledPackages(code: string): readonly string[] {
  const names = new Set<string>()
  for (const [, path = ''] of code.matchAll(/^\/\/ (\S*node_modules\/\S+)$/gm)) {
    const inner = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const name = /^(@[^/]+\/[^/]+|[^/]+)\//.exec(inner)?.[1]
    if (name !== undefined) names.add(name)
  }
  return [...names].toSorted()
}
