import { expect, it } from 'vitest'
import { settingAnnotation } from './setting-annotation.ts'

it('names the setting and the container, in at most 63 letters that Kubernetes accepts', () => {
  expect(settingAnnotation('stop-delay', 'web')).toBe('rollcall.dev/stop-delay.web')
  expect(settingAnnotation('stop-delay', 'a'.repeat(63))).toBe(`rollcall.dev/stop-delay.${'a'.repeat(52)}`)
  expect(settingAnnotation('stop-delay', `${'a'.repeat(51)}-${'b'.repeat(11)}`)).toBe(`rollcall.dev/stop-delay.${'a'.repeat(51)}`)
})
