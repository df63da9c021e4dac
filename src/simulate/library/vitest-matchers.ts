// `rollcall/testing/vitest`: importing it adds the matchers to vitest's expect.
import { expect } from 'vitest'
import { matchers } from './matchers.ts'

expect.extend(matchers)
