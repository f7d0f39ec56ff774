import { useEffect, useState } from 'react'
import { Button } from '../../elements/button.tsx'

export interface ScrubberProps {
  readonly last: number
  /** Number of the last shown entry. Absent: all. */
  readonly upto: number | undefined
  readonly move: (upto: number | undefined) => void
}

/** Milliseconds for one entry while the scrubber plays. */
const STEP = 250

/** Moves back and forth through the entries of a run. Nothing runs again. */
export function Scrubber({ last, upto, move }: ScrubberProps) {
  const [isPlaying, setPlaying] = useState(false)
  const at = Math.min(upto ?? last, last)
  useEffect(() => {
    if (!isPlaying) return undefined
    if (at >= last) {
      setPlaying(false)
      return undefined
    }
    const timer = setTimeout(() => move(at + 1 >= last ? undefined : at + 1), STEP)
    return () => clearTimeout(timer)
  }, [isPlaying, at, last, move])
  const play = (): void => {
    if (!isPlaying && at >= last) move(1)
    setPlaying(!isPlaying)
  }
  return (
    <div className="scrubber">
      <Button onPress={play}>{isPlaying ? 'Pause' : 'Replay'}</Button>
      <input
        type="range"
        aria-label="Shown up to entry"
        min={1}
        max={Math.max(last, 1)}
        value={at}
        onChange={event => {
          const next = Number(event.target.value)
          setPlaying(false)
          move(next >= last ? undefined : next)
        }}
      />
      <span className="quiet right" role="status">
        {at} of {last}
      </span>
    </div>
  )
}
