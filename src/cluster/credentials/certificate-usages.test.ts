import { describe, expect, it } from 'vitest'
import { encodeUsages } from './certificate-usages.ts'

const hex = (usages: readonly string[]) => encodeUsages(usages).map((one) => one.toString('hex'))
const clientAuth = '30130603551d25040c300a06082b06010505070302'

// The expected bytes are written by hand after RFC 5280, 4.2.1.3 and 4.2.1.12.
describe('encodeUsages()', () => {
  it.each([
    ['client auth alone, without a keyUsage', ['client auth'], [clientAuth]],
    ['a signature', ['digital signature', 'client auth'], ['300e0603551d0f0101ff040403020780', clientAuth]],
    ['the same bit twice', ['signing', 'digital signature'], ['300e0603551d0f0101ff040403020780']],
    ['a signature and encipherment', ['key encipherment', 'digital signature'], ['300e0603551d0f0101ff0404030205a0']],
    ['the ninth bit', ['decipher only'], ['300f0603551d0f0101ff040503030700' + '80']],
    ['the same purpose twice', ['s/mime', 'email protection'], ['30130603551d25040c300a06082b06010505070304']],
    ['none', [], []],
  ])('encodes %s', (_, usages, expected) => {
    expect(hex(usages)).toEqual(expected)
  })
})
