import { useEffect, useState } from 'react'

/** Milliseconds between two looks at the clock. */
const TICK = 200

/** The present, while `isOn`; otherwise `undefined`. */
export function useNow(isOn: boolean, readClock: () => number = Date.now): number | undefined {
  const [now, setNow] = useState<number>()
  useEffect(() => {
    if (!isOn) {
      setNow(undefined)
      return undefined
    }
    setNow(readClock())
    const timer = setInterval(() => setNow(readClock()), TICK)
    return () => clearInterval(timer)
  }, [isOn, readClock])
  return now
}
