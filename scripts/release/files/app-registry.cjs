#!/opt/app-registry/lib/node
// The command of the image, which has no shell.
require('/opt/app-registry/lib/app-registry/dist/cli/main.js');
