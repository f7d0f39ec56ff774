import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection that sends what it is told, and what came back by the time the server closed it. */
export async function talk(port: number, send: (socket: Socket) => void): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString()))
  socket.on('error', () => {})
  await once(socket, 'connect')
  send(socket)
  await once(socket, 'close')
  return text
}
