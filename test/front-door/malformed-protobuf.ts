// Protobuf that is wrong in some way, or not protobuf at all.
import type { Random } from '../../src/base/random.ts'
import { below, pick, strangeTexts } from './malformed-json.ts'
import type { ValidObject } from './valid-objects.ts'

/** Wrapped as Kubernetes does it: a magic number, then a message that names the type and holds the object. */
export function strangeProtobuf(random: Random, sound: ValidObject): Buffer {
  const envelope = Buffer.concat([
    field(1, Buffer.concat([field(1, Buffer.from(sound.apiVersion)), field(2, Buffer.from(sound.kind))])),
    field(2, wire(random, 4)),
  ])
  return pick(random, [
    () => Buffer.concat([Buffer.from('k8s\0'), envelope]),
    () => Buffer.concat([Buffer.from('k8s\0'), envelope.subarray(0, below(random, envelope.length))]),
    () => Buffer.concat([Buffer.from('k8s\0'), garbage(random)]),
    () => garbage(random),
    () => Buffer.from('k8s\0'),
    () => Buffer.from(JSON.stringify(sound.object)),
  ])()
}

const garbage = (random: Random) => Buffer.from(Array.from({ length: below(random, 200) }, () => below(random, 256)))

/** A field of bytes, a string or a message. */
export function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content])
}

export function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, rest])
}

function wire(random: Random, depth: number): Buffer {
  const parts: Buffer[] = []
  for (let i = below(random, 5); i > 0; i--) {
    const number = 1 + below(random, 12)
    const choice = below(random, 9)
    if (choice < 4 && depth > 0) parts.push(field(number, wire(random, depth - 1)))
    else if (choice < 6) parts.push(field(number, Buffer.from(pick(random, strangeTexts))))
    else if (choice === 6)
      parts.push(
        varint(number * 8),
        pick(random, [varint(1), varint(2 ** 52), Buffer.alloc(9, 255), Buffer.from([...Buffer.alloc(9, 255), 1])]),
      )
    else if (choice === 7) parts.push(varint(number * 8 + 2), varint(2 ** 31))
    else parts.push(varint(number * 8 + below(random, 8)), garbage(random))
  }
  return Buffer.concat(parts)
}
