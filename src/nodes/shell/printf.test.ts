import { describe, expect, it } from 'vitest'
import { run } from './testing/run-command.ts'

describe('printf', () => {
  it.each<[name: string, script: string, text: string, code?: number]>([
    ['escapes of the format', String.raw`printf 'a\tb\n\\ \a\e\x41'`, 'a\tb\n\\ \x07\x1bA'],
    ['octal in the format: three digits', String.raw`printf '\101\0101\60'`, 'A\b10'],
    ['bytes of one character', String.raw`printf '\303\251\n'`, 'é\n'],
    ['an escaped percent sign', String.raw`printf '\045s\n' x`, '%s\n'],
    ['an escape that is none', String.raw`printf '\q\n'`, '\\q\n'],
    ['no escapes in %s', String.raw`printf '%s|' 'x\n'`, 'x\\n|'],
    ['escapes in %b', String.raw`printf '%b|%b' 'x\n' 'A\0101\101'`, 'x\n|AAA'],
    ['the end in %b', String.raw`printf '%b%s' 'a\cb' 'c'`, 'a'],
    ['the end in the format', String.raw`printf 'a\cb%s' x y`, 'a'],
    ['the format again for every argument', String.raw`printf '%s=%d\n' a 1 b 2 c`, 'a=1\nb=2\nc=0\n'],
    ['a format without arguments', String.raw`printf 'x\n' a b`, 'x\n'],
    ['widths', "printf '%5s|%-5s|%05d|%.2s|%*d|%-*d|' ab ab -42 abc 4 7 4 7", '   ab|ab   |-0042|ab|   7|7   |'],
    ['numbers', "printf '%d %i %u %x %X %o %#x %+d %.3d' 10 0x1f 017 255 255 8 255 5 7", '10 31 15 ff FF 10 0xff +5 007'],
    ['negative numbers without a sign', "printf '%x %u' -1 -1", 'ffffffffffffffff 18446744073709551615'],
    ['the code of a character', `printf '%d' "'A"`, '65'],
    ['a number that is too large', `printf '%d' ${'9'.repeat(500)}`, '9223372036854775807'],
    ['decimals', "printf '%f %.2f %6.1f %e %g %g' 1.5 3.14159 -2.26 12345 0.0001 1e10", '1.500000 3.14   -2.3 1.234500e+04 0.0001 1e+10'],
    ['characters and percent signs', "printf '%c%c%%\\n' abc é", 'aé%\n'],
    ['no number', "printf '%d\\n' 3x", "printf: invalid number '3x'\n3\n", 1],
    ['an unknown directive', "printf '100%y'", '100printf: %y: invalid format\n', 1],
    ['a format after --', "printf -- '-%s' a", '-a'],
  ])('prints %s', (_, script, text, code = 0) => {
    expect(run(script)).toMatchObject({ code, text })
  })
})

describe('echo -e', () => {
  it.each([
    ['escapes', String.raw`echo -e 'a\tb\0101'`, 'a\tbA\n'],
    ['the end', String.raw`echo -e 'a\cb'`, 'a'],
    ['none without -e', String.raw`echo 'a\tb'`, 'a\\tb\n'],
  ])('prints %s', (_, script, text) => {
    expect(run(script)).toMatchObject({ code: 0, text })
  })
})
