import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Opens a connection, lets `send` write to it, and returns what the server sent before it closed the connection. */
export async function talk(port: number, send: (socket: Socket) => void): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString()))
  socket.on('error', () => {})
  await once(socket, 'connect')
  send(socket)
  // `once` would reject if the server resets the connection, and lose what the server sent before.
  await new Promise(resolve => socket.once('close', resolve))
  return text
}
