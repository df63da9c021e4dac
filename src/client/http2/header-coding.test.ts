import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteWriter } from './byte-writer.ts'
import { HeaderDecoder } from './header-decoder.ts'
import { HeaderEncoder } from './header-encoder.ts'
import { type Header, headerOf, staticTable } from './header-table.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const lines = (headers: readonly Header[]) => headers.map(({ name, value }) => `${name}: ${value}`)

describe('HeaderDecoder', () => {
  // RFC 7541, appendices C.3 and C.4: three requests on one connection, without and with the Huffman code.
  it.each([
    [
      'plain strings',
      [
        '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
        '8286 84be 5808 6e6f 2d63 6163 6865',
        '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
      ],
    ],
    [
      'the Huffman code',
      [
        '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
        '8286 84be 5886 a8eb 1064 9cbf',
        '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
      ],
    ],
  ])('reads the example with %s', (_name, blocks) => {
    const decoder = new HeaderDecoder()
    expect(blocks.map((block) => lines(decoder.decode(hex(block))))).toEqual([
      [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'],
      [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com', 'cache-control: no-cache'],
      [':method: GET', ':scheme: https', ':path: /index.html', ':authority: www.example.com', 'custom-key: custom-value'],
    ])
  })

  // RFC 7541, appendix C.6: responses with a table of 256 bytes, from which headers are evicted.
  it('evicts the oldest headers', () => {
    const decoder = new HeaderDecoder()
    const blocks = [
      '3fe1 01 4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3',
      '4883 640e ffc1 c0bf',
      '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07',
    ]
    const [first, second, third] = blocks.map((block) => lines(decoder.decode(hex(block))))
    const rest = ['cache-control: private', 'date: Mon, 21 Oct 2013 20:13:21 GMT', 'location: https://www.example.com']
    expect(first).toEqual([':status: 302', ...rest])
    expect(second).toEqual([':status: 307', ...rest])
    expect(third).toEqual([
      ':status: 200',
      'cache-control: private',
      'date: Mon, 21 Oct 2013 20:13:22 GMT',
      'location: https://www.example.com',
      'content-encoding: gzip',
      'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
    ])
    expect(() => decoder.decode(hex('c1'))).toThrow('the index 65')
  })

  it.each([
    ['an index of no table', 'be', 'the index 62'],
    ['the index 0', '80', 'the index 0'],
    ['a string that is cut off', '4005 6162', 'ends within a header'],
    ['a number that is cut off', 'ff', 'ends within a header'],
    ['a number that is too large', 'ffff ffff ffff ff', 'too large'],
    ['a number that is too long', 'ff80 8080 8080 8080 01', 'too long'],
    ['a table that is too large', '3fe2 ff03', 'asks for a table'],
    ['a new size after a header', '8220', 'too late'],
    ['padding of a whole byte', '0081 ff 00', 'Huffman'],
    ['padding that is not ones', '0081 18 00', 'Huffman'],
    ['the code of EOS', '0084 ffff ffff 00', 'Huffman'],
  ])('refuses %s', (_name, block, message) => {
    expect(() => new HeaderDecoder().decode(hex(block))).toThrow(message)
  })
})

describe('HeaderEncoder', () => {
  const values = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 1500 })

  it('writes what the decoder reads, while headers are evicted and the table is resized', () => {
    const block = fc.record({
      uses: fc.array(fc.nat(11), { maxLength: 6 }),
      own: values,
      limit: fc.option(fc.constantFrom(0, 100, 2000, 9000)),
    })
    fc.assert(
      fc.property(fc.array(values, { minLength: 10, maxLength: 10 }), fc.array(block, { maxLength: 12 }), (texts, blocks) => {
        const common = [
          headerOf(':method', 'GET'),
          headerOf(':status', '404'),
          ...texts.map((value, at) => headerOf(`name-${at % 7}`, value)),
        ]
        const [encoder, decoder, out] = [new HeaderEncoder(), new HeaderDecoder(), new ByteWriter()]
        for (const { uses, own, limit } of blocks) {
          if (limit !== null) encoder.limit(limit)
          encoder.begin(out)
          for (const use of uses) encoder.common(out, common[use]!)
          encoder.own(out, ':path', own)
          const expected = [...uses.map((use) => common[use]!), { name: ':path', value: own }]
          expect(lines(decoder.decode(Buffer.from(out.take())))).toEqual(lines(expected))
        }
      }),
    )
  })

  it('refers to a header that it has sent', () => {
    const [encoder, out] = [new HeaderEncoder(), new ByteWriter()]
    const token = headerOf('authorization', `Bearer ${'x'.repeat(900)}`)
    encoder.common(out, token)
    expect(out.take().length).toBeGreaterThan(900)
    encoder.common(out, token)
    expect(out.take()).toEqual(hex('be'))
  })

  it('has the static table of the RFC', () => {
    expect(staticTable).toHaveLength(61)
    expect([staticTable[7], staticTable[15], staticTable[60]]).toEqual([
      { name: ':status', value: '200' },
      { name: 'accept-encoding', value: 'gzip, deflate' },
      { name: 'www-authenticate', value: '' },
    ])
  })
})
