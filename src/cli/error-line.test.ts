import { describe, expect, it } from 'vitest'
import { errorLine } from './error-line.ts'

describe('errorLine()', () => {
  it.each([
    ['ends with a full stop', new Error('Cannot read x'), 'error: Cannot read x.\n'],
    ['keeps the punctuation of the message', new Error('Cannot read x. Is it there?'), 'error: Cannot read x. Is it there?\n'],
    ['puts several lines into one', new Error('bad YAML:\n  line 2\n  column 4\n'), 'error: bad YAML: line 2 column 4.\n'],
    ['takes a message that is not an Error', 'failed', 'error: failed.\n'],
  ])('%s', (_, error, line) => {
    expect(errorLine(error)).toBe(line)
  })
})
