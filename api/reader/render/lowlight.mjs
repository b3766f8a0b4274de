// Beside it are the types that we use: those of the package bring those of a browser with them.
export { common, createLowlight } from 'lowlight';
