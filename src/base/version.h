/** The version of the library, as records and programs state it. */
#ifndef CAROM_BASE_VERSION_H
#define CAROM_BASE_VERSION_H

#define CAROM_VERSION "0.1.0"

#endif
