import type { Client, ClientOptions } from '@modelcontextprotocol/client'
import type { Json } from '@parley/core'
import type { ClientFeatures } from '../features/serve-client-features.ts'

export interface NotificationListeners {
  /** The features that the client offers to the server. */
  readonly features: ClientFeatures
  /** Called for `notifications/tools/list_changed` and its kin. */
  readonly onListChanged: (list: 'tools' | 'resources' | 'prompts') => void
  readonly onResourceUpdated: (uri: string) => void
  /** Called if the server's event stream broke and could not be opened again. */
  readonly onStreamLost: () => void
  /** Called for every other notification. */
  readonly onNotification: (method: string, params: Json | undefined) => void
}

const AT_ONCE = { autoRefresh: false, debounceMs: 0 } as const

/** The client's option for the notifications that a list of the server has changed. */
export function listChangedHandlers(
  onListChanged: NotificationListeners['onListChanged'],
): NonNullable<ClientOptions['listChanged']> {
  return {
    tools: { ...AT_ONCE, onChanged: () => onListChanged('tools') },
    resources: { ...AT_ONCE, onChanged: () => onListChanged('resources') },
    prompts: { ...AT_ONCE, onChanged: () => onListChanged('prompts') },
  }
}

/** Handles all other notifications of the server. */
export function handleNotifications(
  client: Client,
  { features, onResourceUpdated, onStreamLost, onNotification }: NotificationListeners,
): void {
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => onResourceUpdated(params.uri))
  client.setNotificationHandler('notifications/elicitation/complete', ({ method, params }) => {
    features.elicitor?.complete(params.elicitationId)
    onNotification(method, params as Json)
  })
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's client has no addEventListener
  client.onerror = ({ message }) => {
    // The SDK reports that it stopped reconnecting only by this message.
    if (message.startsWith('Maximum reconnection attempts')) onStreamLost()
  }
  client.fallbackNotificationHandler = async ({ method, params }) => onNotification(method, params as Json | undefined)
}
