import type { McpServerDefinition, McpTokenStore } from '@parley/mcp'
import type { ConfigServices } from '../compose/config-services.ts'
import { loadPackage } from './load-package.ts'

export interface StandardServicesOptions {
  /** Stores the tokens of MCP servers that require authorization. @default a store in memory */
  readonly tokenStore?: (() => Promise<McpTokenStore>) | undefined
}

/**
 * Returns the services for MCP servers, the event bus, traces and skills, each with its package imported when it is
 * used.
 */
export function standardServices({ tokenStore }: StandardServicesOptions): ConfigServices {
  return {
    async mcp() {
      const { openMcpServers, toMcpDefinition } = await loadPackage('@parley/mcp', () => import('@parley/mcp'))
      return {
        define: (name, server) => toMcpDefinition(name, server, `mcpServers.${name}`),
        open: async (definitions, options) =>
          openMcpServers(definitions as readonly McpServerDefinition[], {
            ...options,
            tokenStore: await tokenStore?.(),
          }),
      }
    },
    async bus(options) {
      const { createEventBus } = await loadPackage('@parley/event-bus', () => import('@parley/event-bus'))
      return createEventBus(options)
    },
    async otel(options) {
      const { openOtlp } = await loadPackage('@parley/otel', () => import('@parley/otel/otlp'))
      return loadPackage('@parley/otel', () => openOtlp(options))
    },
    async skills(folders) {
      const { loadSkills } = await loadPackage('@parley/tools', () => import('@parley/tools/skills'))
      return loadSkills(folders)
    },
  }
}
