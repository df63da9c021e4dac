// Writes and reads the frames that carry neither headers nor data.
import type { ByteWriter } from './byte-writer.ts'
import { errorCode, frameFlag, frameType, ProtocolError, setting, writeFrameHead } from './frames.ts'

/** The settings of the client: no server push, and a window of that size for each response. */
export function writeSettings(out: ByteWriter, windowBytes: number): void {
  writeFrameHead(out, 12, frameType.settings, 0, 0)
  writeSetting(out, setting.enablePush, 0)
  writeSetting(out, setting.initialWindowSize, windowBytes)
}

function writeSetting(out: ByteWriter, key: number, value: number): void {
  out.byte(0)
  out.byte(key)
  out.uint32(value)
}

export function writeSettingsAcknowledgement(out: ByteWriter): void {
  writeFrameHead(out, 0, frameType.settings, frameFlag.acknowledgement, 0)
}

/** `id` 0 is the connection. */
export function writeWindowUpdate(out: ByteWriter, id: number, bytes: number): void {
  writeFrameHead(out, 4, frameType.windowUpdate, 0, id)
  out.uint32(bytes)
}

export function writeReset(out: ByteWriter, id: number, code: number): void {
  writeFrameHead(out, 4, frameType.reset, 0, id)
  out.uint32(code)
}

export function writePing(out: ByteWriter): void {
  writeFrameHead(out, 8, frameType.ping, 0, 0)
  out.uint32(0)
  out.uint32(0)
}

export function writePong(out: ByteWriter, payload: Buffer): void {
  writeFrameHead(out, 8, frameType.ping, frameFlag.acknowledgement, 0)
  out.bytes(payload)
}

/** Reports 0 as the last stream: none that the server opened was accepted. */
export function writeGoAway(out: ByteWriter, code: number): void {
  writeFrameHead(out, 8, frameType.goAway, 0, 0)
  out.uint32(0)
  out.uint32(code)
}

function checkFrame(isRight: boolean, what: string): void {
  if (!isRight) throw new ProtocolError(`the server sent a malformed ${what}`, errorCode.frameSize)
}

export const checkPing = (id: number, payload: Buffer): void => checkFrame(id === 0 && payload.length === 8, 'ping')

/** The last stream that the server has received, and the error code with which it ends the connection. */
export function readGoAway(id: number, payload: Buffer): { readonly last: number; readonly code: number } {
  checkFrame(id === 0 && payload.length >= 8, 'end of the connection')
  return { last: payload.readUInt32BE(0) & 0x7fff_ffff, code: payload.readUInt32BE(4) }
}

/** The error code with which the server aborts a stream. */
export function readReset(id: number, payload: Buffer): number {
  checkFrame(id !== 0 && payload.length === 4, 'reset')
  return payload.readUInt32BE(0)
}

export function readWindowUpdate(payload: Buffer): number {
  checkFrame(payload.length === 4, 'window update')
  return payload.readUInt32BE(0) & 0x7fff_ffff
}
