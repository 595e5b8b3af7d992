// davit_fmu_host: the process of an FMU that is run with isolated="true". Its socket is the file 3.

#include "fmi/import/isolated_fmu.h"

int main() { return davit::ServeFmu(3); }
