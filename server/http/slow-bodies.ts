import type { Socket } from 'node:net'

const expected = new WeakSet<Socket>()

/** From now on the body on this connection may take as long as its call allows, not the seconds of any other. */
export const expectSlowBody = (socket: Socket): void => void expected.add(socket)

/** The next request on it is like any other. */
export const endSlowBody = (socket: Socket): void => void expected.delete(socket)

export const isSlowBodyExpected = (socket: Socket): boolean => expected.has(socket)
