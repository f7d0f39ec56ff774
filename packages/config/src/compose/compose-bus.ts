import type { ConfigData } from '../schema/config-schema.ts'
import { makePart, type PartMaker } from './compose-parts.ts'
import type { ConfigRegistry } from './config-registry.ts'
import type { ConfigBus, ConfigSubscription, EventHandler } from './config-services.ts'
import { reportMissing } from './report-missing.ts'

interface Subscribed {
  readonly handler: EventHandler
  readonly options: ConfigSubscription
}

/** Makes the subscribers of the section `bus`, and returns a function that opens the bus with them. */
export async function composeBus(
  { bus }: ConfigData,
  { services = {}, subscribers: types = {} }: ConfigRegistry,
  maker: PartMaker,
): Promise<() => Promise<ConfigBus | undefined>> {
  if (bus === undefined) return async () => undefined
  const { subscribers = {}, ...options } = bus
  const { bus: open } = services
  if (open === undefined) reportMissing(maker.reporter, ['bus'])
  const made: Subscribed[] = []
  for (const [name, { type = name, events, agent, scope, capacity, overflow, ...rest }] of Object.entries(
    subscribers,
  )) {
    const key = ['bus', 'subscribers', name]
    const found = Object.hasOwn(types, type) ? types[type] : undefined
    if (found === undefined) {
      const known = Object.keys(types)
      maker.reporter.unknown([...key, 'type'], { what: 'subscriber type', name: type, known })
      continue
    }
    const handler = await makePart(found, { key, name, options: rest }, maker)
    const filter = { types: events, agent, scope }
    if (handler !== undefined) made.push({ handler, options: { name, filter, capacity, overflow } })
  }
  return async () => {
    const opened = await open?.(options)
    for (const subscriber of made) opened?.subscribe(subscriber.handler, subscriber.options)
    return opened
  }
}
