// The settings of the other side.
import { defaultFrameBytes, errorCode, frameFlag, maxWindowBytes, ProtocolError, setting } from './frames.ts'

interface Settings {
  headerTableSize?: number
  maxConcurrentStreams?: number
  initialWindowSize?: number
  maxFrameSize?: number
}

const maxFrameBytes = 2 ** 24 - 1

/** Undefined: the acknowledgement of this side's settings. Throws a ProtocolError. */
export function readSettings(flags: number, stream: number, payload: Buffer): Settings | undefined {
  if (stream !== 0) throw new ProtocolError('the server sent settings for a stream')
  const isAcknowledgement = (flags & frameFlag.acknowledgement) !== 0
  if (payload.length % 6 !== 0 || (isAcknowledgement && payload.length > 0))
    throw new ProtocolError('the server sent malformed settings', errorCode.frameSize)
  if (isAcknowledgement) return undefined
  const settings: Settings = {}
  for (let at = 0; at < payload.length; at += 6) {
    const value = payload.readUInt32BE(at + 2)
    switch (payload.readUInt16BE(at)) {
      case setting.headerTableSize:
        settings.headerTableSize = value
        break
      case setting.maxConcurrentStreams:
        settings.maxConcurrentStreams = value
        break
      case setting.initialWindowSize:
        if (value > maxWindowBytes) throw new ProtocolError('the server gives a window that is too large', errorCode.flowControl)
        settings.initialWindowSize = value
        break
      case setting.maxFrameSize:
        if (value < defaultFrameBytes || value > maxFrameBytes) throw new ProtocolError(`the server wants frames of ${value} bytes`)
        settings.maxFrameSize = value
        break
      // Others are ignored.
      default:
    }
  }
  return settings
}
