// The escapes of `printf` and `echo -e`.
import { textOfBytes } from '../../base/byte-text.ts'

const characters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
}

const rest = String.raw`|x[0-9a-fA-F]{1,2}))+|\\[abefnrtv\\"']|\\c[\s\S]*`
const forms = {
  /** `\101`, as in the format of printf. */
  format: new RegExp(String.raw`(?:\\(?:[0-7]{1,3}${rest}`, 'g'),
  /** `\0101` too, as in echo -e and the arguments of %b. */
  argument: new RegExp(String.raw`(?:\\(?:0[0-7]{0,3}|[1-7][0-7]{0,2}${rest}`, 'g'),
}

/** `isEnd`: the text has `\c`, after which nothing more is printed. */
export function unescapeText(text: string, form: keyof typeof forms): { readonly text: string; readonly isEnd: boolean } {
  let isEnd = false
  const plain = text.replace(forms[form], (written) => {
    const [, letter = ''] = written
    if (letter === 'c') {
      isEnd = true
      return ''
    }
    return characters[letter] ?? textOfBytes(Buffer.from(written.slice(1).split('\\').map(byteOf)))
  })
  return { text: plain, isEnd }
}

/** Of `101` or `x41`. */
const byteOf = (digits: string) => (digits.startsWith('x') ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 8)) & 0xff
