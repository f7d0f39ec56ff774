import type { FilePart } from '@parley/core'

/** Media types of pictures that cannot hold scripts. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/** A file of a message. Pictures in the message are shown; files elsewhere are named and not fetched. */
export function FileView({ file }: { readonly file: FilePart }) {
  const name = file.name ?? file.mediaType
  if (file.source.type === 'url') {
    return (
      <p className="quiet">
        File at {file.source.url} ({file.mediaType})
      </p>
    )
  }
  const { data } = file.source
  if (PICTURES.has(file.mediaType)) {
    return <img className="picture" src={`data:${file.mediaType};base64,${data}`} alt={name} />
  }
  return (
    <p className="quiet">
      {name}, {Math.ceil((data.length * 3) / 4 / 1024)} kB
    </p>
  )
}
