import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOfText, textOfBytes } from '../../base/byte-text.ts'
import { empty, run } from './testing/run-command.ts'

describe('tar', () => {
  it('extracts what it has archived, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 2000 }), { maxLength: 4 }), (contents) => {
        const written = new Map(contents.map((bytes, index) => [`own:c:/tmp/d/e${index}/f`, textOfBytes(Buffer.from(bytes))]))
        const { code, text } = run(['tar', 'cf', '-', '/tmp/d'], { ...empty, pod: new Map([...written, ['own:c:/tmp/d/.keep', '']]) })
        const { files } = run(['tar', '-xmf', '-', '-C', '/copy'], empty, { input: textOfBytes(bytesOfText(text)) })
        expect(code).toBe(0)
        for (const [key, content] of written) expect(files.pod.get(key.replace('/tmp', '/copy/tmp'))).toBe(content)
      }),
      { numRuns: 50 },
    )
  })

  it('lists an archive, extracts a part of it, and stays below the directory', () => {
    const made = 'echo a > /x/a; echo b > /x/b; tar cf /x.tar /x/a /x/b; '
    expect(run(`${made} tar tf /x.tar`).text).toBe('x/a\nx/b\n')
    expect(run(`${made} cd /y; tar xf /x.tar x/b; find /y`).text).toBe('/y\n/y/x\n/y/x/b\n')
    const archive = bytesOfText(run('echo a > /evil; tar cf - /evil').text)
    archive.write('../x', 0)
    expect(run('tar xf - -C /safe; find /safe', empty, { input: textOfBytes(archive) }).text).toBe('/safe\n/safe/x\n')
  })

  it('says what it cannot read or store', () => {
    const missing = 'tar: /none: No such file or directory\ntar: error exit delayed from previous errors\n'
    expect(run('tar cf /out /none')).toMatchObject({ code: 1, text: missing })
    expect(run('tar xf /none')).toMatchObject({ code: 1, text: "tar: can't open '/none': No such file or directory\n" })
    expect(run('tar')).toMatchObject({ code: 1, text: 'tar: need at least one option of c, x and t\n' })
    const large = run(['tar', 'cf', '-', '/f'], { ...empty, pod: new Map([['own:c:/f', 'x'.repeat(200_000)]]) }).text
    const message = 'tar: f: file too large for a simulated container\n'
    expect(run(['tar', 'xf', '-', '-C', '/tmp'], empty, { input: large })).toMatchObject({ code: 1, text: message })
  })

  it('writes no archive where it finds none of the files, so that kubectl cp waits for its exit code', () => {
    expect(run('tar cf - /none 2> /errors')).toMatchObject({ code: 1, text: '' })
    expect(run('tar cf - /none 2> /errors | wc -c').text.trim()).toBe('0')
    expect(run('tar cf /out /none 2> /errors; wc -c < /out').text.trim()).toBe('1024')
    expect(run('echo a > /a; tar cf - /a /none 2> /errors | tar tf -').text).toBe('a\n')
  })

  it('keeps long names, whatever their characters are', () => {
    const name = `/${'ordner-mit-ä/'.repeat(12)}f`
    const { text } = run(['tar', 'cf', '-', name], { ...empty, pod: new Map([[`own:c:${name}`, 'x']]) })
    expect(run(['tar', 'xf', '-', '-C', '/copy'], empty, { input: text }).files.pod.get(`own:c:/copy${name}`)).toBe('x')
  })

  it('ends at sizes that are wrong, and says that an archive is cut', () => {
    const archive = bytesOfText(run('echo abc > /f; tar cf - /f').text)
    const cut = textOfBytes(archive.subarray(0, 514))
    expect(run(['tar', 'xf', '-'], empty, { input: cut })).toMatchObject({ code: 1, text: 'tar: short read\n' })
    archive.write('-1000\0', 124, 'latin1')
    archive.write('x', 156)
    expect(run(['tar', 'xf', '-'], empty, { input: textOfBytes(archive) }).code).toBe(0)
  })

  it('takes what is unknown for an empty archive', () => {
    expect(run('wget -O- example.com/a.tgz | tar xz', empty, { onUnknown: 0 })).toMatchObject({ code: 0, text: '' })
    expect(run('tar xzf /app/a.tgz -C /data', empty, { onUnknown: 0 })).toMatchObject({ code: 0, text: '' })
    expect(run('tar czf /backup.tgz /app', empty, { onUnknown: 0 })).toMatchObject({ code: 0, text: '' })
  })
})
