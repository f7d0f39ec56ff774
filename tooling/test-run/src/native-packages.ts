import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

/** A plugin of esbuild: packages with programs for one platform are not bundled, and are loaded from where they are installed. */
export const nativePackages: Plugin = {
  name: 'native-packages',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^(?:better-sqlite3|pg)$/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      if (pluginData === nativePackages) return undefined
      const found = await resolve(path, { importer, kind, resolveDir, pluginData: nativePackages })
      return { path: pathToFileURL(found.path).href, external: true }
    })
  },
}
