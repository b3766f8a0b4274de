import { config } from 'zod/v4/core';

// The chat SDK's schema library tries `new Function` as soon as a schema is made, which the page's
// policy forbids and reports. To be imported before the SDK.
config({ jitless: true });
