import type { Command } from 'commander'

type Load = () => Promise<void>

const loaders = new WeakMap<Command, Load>()

/** Sets the function that adds the arguments and options of a command. `loadCommand` calls it once. */
export function setLoader(command: Command, load: Load): void {
  loaders.set(command, load)
}

/** Adds the arguments and options of a command, unless an earlier call has added them. */
export async function loadCommand(command: Command): Promise<void> {
  const load = loaders.get(command)
  loaders.delete(command)
  await load?.()
}
